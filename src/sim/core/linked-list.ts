/** What can stand in a list: it holds its own links, so it is in one list at a time. */
export interface Linked<T> {
  older: T | null;
  younger: T | null;
}

/** A doubly linked list through the links of its members. */
export class LinkedList<T extends Linked<T>> {
  size = 0;
  oldest: T | null = null;
  youngest: T | null = null;

  /** Adds at the young end. */
  push(member: T): void {
    member.older = this.youngest;
    member.younger = null;
    if (this.youngest === null) this.oldest = member;
    else this.youngest.younger = member;
    this.youngest = member;
    this.size++;
  }

  /** Adds at the old end: it is served next. */
  unshift(member: T): void {
    member.younger = this.oldest;
    member.older = null;
    if (this.oldest === null) this.youngest = member;
    else this.oldest.older = member;
    this.oldest = member;
    this.size++;
  }

  remove(member: T): void {
    if (member.older === null) this.oldest = member.younger;
    else member.older.younger = member.younger;
    if (member.younger === null) this.youngest = member.older;
    else member.younger.older = member.older;
    member.older = member.younger = null;
    this.size--;
  }
}
