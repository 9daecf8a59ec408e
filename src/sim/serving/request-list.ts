import type {Request} from './request.js';

/** A doubly linked list of requests through their own links: a request is in one list at a time. */
export class RequestList {
  size = 0;
  oldest: Request | null = null;
  youngest: Request | null = null;

  /** Adds at the young end. */
  push(request: Request): void {
    request.older = this.youngest;
    request.younger = null;
    if (this.youngest === null) this.oldest = request;
    else this.youngest.younger = request;
    this.youngest = request;
    this.size++;
  }

  /** Adds at the old end: it is served next. */
  unshift(request: Request): void {
    request.younger = this.oldest;
    request.older = null;
    if (this.oldest === null) this.youngest = request;
    else this.oldest.older = request;
    this.oldest = request;
    this.size++;
  }

  remove(request: Request): void {
    if (request.older === null) this.oldest = request.younger;
    else request.older.younger = request.younger;
    if (request.younger === null) this.youngest = request.older;
    else request.younger.older = request.older;
    request.older = request.younger = null;
    this.size--;
  }
}
