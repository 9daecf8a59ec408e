import type {Figure} from '../provenance.js';

/** A storage part as built-in files state it: quantities are strings with a unit. */
export interface StorageSpec {
  readonly kind: 'storage';
  readonly name: string;
  readonly capacity: Figure<string>;
  readonly read: Figure<string>;
  readonly write: Figure<string>;
  /** Before the first byte of one read. */
  readonly latency: Figure<string>;
  /** Random reads of 4 KiB per second. */
  readonly iops: Figure<string>;
  /** What can be written in its life. */
  readonly endurance: Figure<string>;
}

/** A link as built-in files state it, of one device. */
export interface LinkSpec {
  readonly kind: 'link';
  readonly name: string;
  /** One direction, in large pieces. */
  readonly bandwidth: Figure<string>;
  readonly latency: Figure<string>;
  /** Both directions together; absent: each direction has its own. */
  readonly duplex?: Figure<string>;
  /** What each contiguous piece of a copy costs beside its bytes: what makes small pieces slow. */
  readonly piece: Figure<string>;
}

export type PartSpec = StorageSpec | LinkSpec;

type Resolved<T> = {
  readonly [K in keyof T]: T[K] extends Figure<string> ? Figure : T[K] extends Figure<string> | undefined ? Figure | undefined : T[K];
};

/** The same in SI: bytes, B/s, s, 1/s. */
export type Storage = Resolved<StorageSpec> & {readonly id: string};
export type Link = Resolved<LinkSpec> & {readonly id: string};
