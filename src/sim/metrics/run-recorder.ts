import {GrowingColumns, type RequestRow} from './columns.js';
import {combine} from './combine.js';
import type {ReplicaRecord, RunRecord} from './record.js';
import {Recorder, type RecordShape} from './recorder.js';

/** Writes down a run: its requests here, what each replica did in a recorder of its own. */
export class RunRecorder {
  readonly replicas: readonly Recorder[];
  readonly #requests: GrowingColumns;
  readonly #classes: readonly string[];
  #firstArrival = Number.NaN;
  #lastArrival = Number.NaN;
  #lastEnd = 0;

  /** `classes` are the names of the classes of requests. */
  constructor(replicas: number, {classes, ...shape}: RecordShape & {readonly classes: readonly string[]}) {
    this.#classes = classes;
    this.#requests = new GrowingColumns(shape.tiers?.length ?? 0);
    this.replicas = Array.from({length: replicas}, () => new Recorder(shape));
  }

  /** Requests that ended so far. */
  get ended(): number {
    return this.#requests.rows;
  }

  /** A request arrived at `now`, ns. */
  arrived(now: number): void {
    if (Number.isNaN(this.#firstArrival)) this.#firstArrival = now;
    this.#lastArrival = now;
  }

  /** A request left; the row is copied. */
  end(row: RequestRow): void {
    this.#requests.add(row);
    this.#lastEnd = Math.max(this.#lastEnd, row.finished); // a small step's tokens can arrive before those of a large one
    this.replicas[row.replica].ended(row);
  }

  /** The run is over; `replicas` are what the recorders took. */
  take(replicas: readonly ReplicaRecord[]): RunRecord {
    return {
      requests: this.#requests.take(
        this.replicas.map(({clock}) => clock.take()),
        this.#classes,
      ),
      ...combine(replicas),
      replicas,
      firstArrival: this.#firstArrival,
      lastArrival: this.#lastArrival,
      lastEnd: this.#lastEnd,
    };
  }
}
