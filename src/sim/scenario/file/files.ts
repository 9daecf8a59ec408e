/** How the loader reaches files, so that it runs without a disk too. Paths are as the user wrote them, from the current folder. */
export interface Files {
  /** The bytes of a file; throws InputError when there is none (`PATH does not exist`), or more than `limit` bytes. */
  read(path: string, limit?: number): Promise<Uint8Array>;
  isFolder(path: string): Promise<boolean>;
  /** The absolute path, links followed; the path itself made absolute when there is no such file. */
  real(path: string): Promise<string>;
  /** Unpacks gzip and gives other bytes back as they are; throws InputError, with `name`, when it is not whole. */
  gunzip(bytes: Uint8Array, name: string): Uint8Array;
  /** Runs a program file and returns what it exports; null: nobody has allowed that. `sha256` is of its content. Throws InputError when it fails. */
  readonly run: ((path: string, sha256: string) => Promise<unknown>) | null;
  /** Lower-case hex. */
  sha256(content: Uint8Array | string): string;
}

/** A file that went into a scenario. */
export interface FileRead {
  /** From the current folder, as the user would write it. */
  readonly path: string;
  readonly sha256: string;
}
