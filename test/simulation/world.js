/** What both worlds have in common: commands in progress, the next act, time that jumps, and waiting for calm. */
import { clock } from './clock.js';
import { fail } from './primary-invariants.js';
import { Program, machine } from './processes.js';

/** What is started besides, such as the process that looks into a blocked one, finds nothing. */
export class EmptyProgram extends Program {
  begin() {
    this.process.after(() => this.process.exit(1), 50);
  }
}

export class SimulatedWorld {
  isCalm = false;
  commands = new Set();

  /**
   * @param note what happens, for the report of a failure
   * @param limits calmMs: until everything is as desired, once all faults have ended; it must stay so for steadyMs
   */
  constructor(random, note, { calmMs, steadyMs }) {
    this.random = random;
    this.note = note;
    this.calmMs = calmMs;
    this.steadyMs = steadyMs;
  }

  actLater(owner = clock.owner) {
    const act = () => {
      if (this.isCalm) return;
      this.act();
      this.actLater(owner);
    };
    clock.deliver(act, this.random.duration(this.meanMs), owner);
  }

  disturbTime(slowest, others = {}) {
    const { random } = this;
    const forMs = random.duration(random.pick([300, 5000, 60_000]));
    const kinds = {
      ...others,
      suspend: () => clock.spend(forMs),
      set: () => (clock.wallOffsetMs += random.pick([-1, 1]) * forMs * 1000),
      slow: () => (machine.slowness = random.pick([1, 1, 10, slowest])),
    };
    const what = random.pick(Object.keys(kinds));
    this.note(`time: ${what}, ${Math.round(forMs)} ms`);
    kinds[what](forMs);
  }

  checkCommands() {
    for (const command of this.commands) {
      if (clock.nowMs > command.limitMs) fail(`${command.name} does not end`);
    }
  }

  /** All faults end. @param heal is called before and after the last commands */
  async *endFaults(heal) {
    this.note('calm');
    this.isCalm = true;
    machine.slowness = 1;
    heal();
    yield* this.until(
      () => this.commands.size === 0,
      () => 'the last commands to end',
    );
    heal();
  }

  async *untilSteady(unsettled = () => null) {
    let sinceMs = Infinity;
    let last = null;
    const isSteady = () => {
      const frozen = [...machine.processes.values()].find(({ isStopped }) => isStopped);
      last = frozen ? `process ${frozen.pid} is stopped by a signal` : unsettled();
      sinceMs = last === null ? Math.min(sinceMs, clock.nowMs) : Infinity;
      return clock.nowMs - sinceMs >= this.steadyMs;
    };
    yield* this.until(isSteady, () => String(last));
  }

  async *outcomeOf(name, params) {
    let outcome;
    void this.command(name, params).then((value) => (outcome = value ?? null));
    while (outcome === undefined) yield name;
    return outcome;
  }

  async *until(condition, what) {
    const untilMs = clock.nowMs + this.calmMs;
    while (!condition()) {
      if (clock.nowMs > untilMs) fail(`waited in vain: ${what()}`);
      yield 'calm';
    }
  }

  end() {}
}
