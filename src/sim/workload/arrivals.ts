import {InputError} from '../core/errors.js';
import type {Random} from '../core/random.js';
import type {SimTime} from '../core/time.js';
import {exponential, gamma} from './distributions.js';
import type {Arrivals} from './workload.js';

/** When sessions start. A process counts sessions; a request without one is its own. */
export interface ArrivalProcess {
  /** Time of the next session that starts by itself, or NEVER. Times never fall. */
  next(): SimTime;
  /** Time of the session that starts because one ended at `now`, or NEVER. */
  replace(now: SimTime): SimTime;
  /** Whether `replace` ever gives a time. */
  readonly replaces: boolean;
}

export const NEVER: SimTime = Infinity;

/** The member of the union that has this process. */
type Of<P> = Arrivals extends infer A ? (A extends {process: infer Q} ? (P extends Q ? A : never) : never) : never;

/** Every arrival process by the name that scenario files use. The first session of an open one starts after one gap. */
export const arrivalProcesses: {[P in Arrivals['process']]: (arrivals: Of<P>, random: Random) => ArrivalProcess} = {
  'closed-loop': ({sessions}) => new ClosedLoop(sessions),
  constant: ({rate}) => new Open(1e9 / rate, () => 1),
  gamma: ({rate, cv}, random) => {
    if (cv === 0) return new Open(1e9 / rate, () => 1);
    const draw = gamma(1 / cv ** 2);
    return new Open(1e9 / rate, () => draw(random) * cv ** 2);
  },
  poisson: ({rate}, random) => new Open(1e9 / rate, () => exponential(random)),
};

/** Makes the process; `perSession` is how many of the things that the rate counts make a session. */
export function arrivalProcess(arrivals: Arrivals, random: Random, perSession = 1, path = 'workload.arrivals'): ArrivalProcess {
  refuseNonsense(arrivals, path);
  const scaled = 'rate' in arrivals ? {...arrivals, rate: arrivals.rate / perSession} : arrivals;
  const create = arrivalProcesses[scaled.process] as (arrivals: Arrivals, random: Random) => ArrivalProcess;
  return create(scaled, random);
}

function refuseNonsense(arrivals: Arrivals, path: string): void {
  if (arrivals.process === 'closed-loop') {
    const {sessions} = arrivals;
    if (!(Number.isInteger(sessions) && sessions >= 1)) throw new InputError(`${path}.sessions: ${sessions} is no whole number ≥ 1`);
    return;
  }
  const {rate} = arrivals;
  if (!(rate > 0 && Number.isFinite(rate))) throw new InputError(`${path}.rate: ${rate}/s is not a rate; it must be finite and above 0`);
  if (arrivals.process === 'gamma' && !(arrivals.cv >= 0 && Number.isFinite(arrivals.cv)))
    throw new InputError(`${path}.cv: ${arrivals.cv} must be a finite number, 0 or more`);
}

/** Sessions that do not wait for each other; gaps are multiples of the mean gap, in ns. */
class Open implements ArrivalProcess {
  readonly #meanGap: number;
  readonly #gap: () => number;
  readonly replaces = false;
  #time = 0;

  constructor(meanGap: number, gap: () => number) {
    this.#meanGap = meanGap;
    this.#gap = gap;
  }

  next(): SimTime {
    this.#time += this.#meanGap * this.#gap();
    return Math.round(this.#time);
  }

  replace(): SimTime {
    return NEVER;
  }
}

/** A fixed number of sessions, all open from time 0; one that ends is replaced at once. */
class ClosedLoop implements ArrivalProcess {
  readonly replaces = true;
  #left: number;

  constructor(sessions: number) {
    this.#left = sessions;
  }

  next(): SimTime {
    return this.#left-- > 0 ? 0 : NEVER;
  }

  replace(now: SimTime): SimTime {
    return now;
  }
}
