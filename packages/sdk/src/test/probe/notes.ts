import type { Finding } from '../report.js';
import { shorten } from '../report.js';

/** A finding and the check that reports it. */
export interface Note extends Finding {
  check: string;
}

/** Collects what is wrong with the responses to one message, for the checks. */
export class Notes {
  readonly all: Note[] = [];

  constructor(private readonly where: string) {}

  /** Notes a finding. `found` may be any third-party value. */
  add(check: string, { found, expected, remedy }: { found: unknown; expected: string; remedy: string }): void {
    const note = { check, found: shorten(found), expected, remedy, where: this.where };
    const isKnown = this.all.some((other) => other.check === check && other.found === note.found);
    if (!isKnown) this.all.push(note);
  }
}
