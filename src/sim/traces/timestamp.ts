const MINUTE = 60e9;

const minutePattern = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d):$/;
// Most files have no zone; testing a pattern is cheaper than taking a text apart with it.
const plainPattern = /^\d\d(?:\.\d{1,9})?$/;
const zonedPattern = /^(\d\d(?:\.\d{1,9})?)(?:Z|([+-])(\d\d):(\d\d))?$/;

/**
 * Reads wall-clock times as ns since the first one, exact for 104 days.
 *
 * `2023-11-16 18:15:46.6805900`: up to 9 digits or no fraction, `T` or a space, and `Z`, an offset or no zone (taken as UTC). Rows that follow each other mostly share their minute, so that it is read once for them.
 */
export class WallClock {
  #text = '';
  /** Minutes since 1970 that `#text` says: whole, since ns since 1970 are too many for one number. */
  #minute = 0;
  /** The first time: its minute, and ns within it. */
  #origin: {readonly minute: number; readonly ns: number} | null = null;

  /** ns since the first time read, or NaN when the text is no time. */
  read(text: string): number {
    const stem = text.slice(0, 17);
    if (stem !== this.#text) {
      const minute = minutes(stem);
      if (minute === null) return NaN;
      this.#text = stem;
      this.#minute = minute;
    }
    let secondsText = text.slice(17);
    let east = 0;
    if (!plainPattern.test(secondsText)) {
      const match = zonedPattern.exec(secondsText);
      if (match === null) return NaN;
      secondsText = match[1];
      if (match[2] !== undefined) east = (match[2] === '-' ? -1 : 1) * (+match[3] * 60 + +match[4]);
    }
    const seconds = Number(secondsText);
    if (seconds >= 60) return NaN;
    const ns = Math.round(seconds * 1e9); // exact: 11 digits at most
    const minute = this.#minute - east;
    this.#origin ??= {minute, ns};
    return (minute - this.#origin.minute) * MINUTE + ns - this.#origin.ns;
  }
}

/** Minutes since 1970-01-01 00:00 of `2023-11-16 18:15:`, or null. */
function minutes(text: string): number | null {
  const match = minutePattern.exec(text);
  if (match === null) return null;
  const [year, month, date, hour, minute] = match.slice(1).map(Number);
  if (month < 1 || month > 12 || date < 1 || date > daysIn(year, month) || hour > 23 || minute > 59) return null;
  return (dayNumber(year, month, date) * 24 + hour) * 60 + minute;
}

/** Days since 1970-01-01 in the Gregorian calendar: a year is counted from March, so that the leap day is its last. */
function dayNumber(year: number, month: number, date: number): number {
  const march = month > 2 ? year : year - 1;
  const monthFromMarch = (month + 9) % 12;
  const leapDays = Math.floor(march / 4) - Math.floor(march / 100) + Math.floor(march / 400);
  return march * 365 + leapDays + Math.floor((153 * monthFromMarch + 2) / 5) + date - 1 - 719_468;
}

function daysIn(year: number, month: number): number {
  return month === 12 ? 31 : dayNumber(year, month + 1, 1) - dayNumber(year, month, 1);
}
