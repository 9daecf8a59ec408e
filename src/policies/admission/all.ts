import type {BlockAdmission, BlockAdmissionEntry} from './block.js';

/** Lets in whatever is to be written. */
export const all: BlockAdmissionEntry = {
  about: 'lets in whatever is to be written',
  params: {},
  create: () => new Everything(),
};

/** Remembers nothing, refuses nothing. */
export class Everything implements BlockAdmission {
  found(_block: number, _prompt: number): void {}
  computed(_block: number, _prompt: number): void {}
  leftHbm(_block: number): void {}
  answered(_last: number): void {}

  admits(_block: number): boolean {
    return true;
  }

  forget(_base: number, _count: number): void {}
}
