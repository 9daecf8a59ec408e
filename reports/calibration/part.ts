import type {Markup} from '../markup.js';
import type {CalibrationView} from './view.js';

/** A part of the page below its head; drawn as null it is left out. */
export interface CalibrationPart {
  readonly name: string;
  /** One sentence that says what the part shows of this profile. */
  title(view: CalibrationView): string;
  render(view: CalibrationView): Markup | null;
}
