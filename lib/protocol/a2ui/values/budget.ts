import type { JsonValue } from '../../json';
import { MAX_A2UI_CHARACTERS, MAX_A2UI_LABEL_LENGTH, MAX_A2UI_WORK } from '../../limits';
import { toText } from './text-values';

/** Units of a function. A value that is read is one unit. */
const FUNCTION_UNITS = 10;

/** What the values of one view may cost, so that a small message cannot keep the page busy. */
export class Budget {
  private work = MAX_A2UI_WORK;
  private characters = MAX_A2UI_CHARACTERS;

  /** True if nothing more is evaluated. */
  get isSpent(): boolean {
    return this.work < 0 || this.characters < 0;
  }

  /** Counts one value; false if the budget is spent. */
  value(): boolean {
    this.work -= 1;
    return !this.isSpent;
  }

  /** Counts a function with the text that it formats by, and its arguments; false if the budget is spent. */
  call(args: readonly (JsonValue | undefined)[], format: JsonValue | undefined): boolean {
    const length = typeof format === 'string' ? Math.min(format.length, MAX_A2UI_LABEL_LENGTH) : 0;
    this.work -= FUNCTION_UNITS + length;
    for (const arg of args) this.text(arg);
    return !this.isSpent;
  }

  /** Counts items that are listed, each as a character. */
  items(count: number): void {
    this.characters -= count;
  }

  /** Returns the value as text (`toText`) and counts its characters; empty if the budget is spent. */
  text(value: JsonValue | undefined): string {
    if (this.isSpent) return '';
    if (typeof value !== 'object' || value === null) return this.counted(toText(value));
    const json = JSON.stringify(value);
    this.characters -= json.length;
    return toText(json);
  }

  private counted(text: string): string {
    this.characters -= text.length;
    return text;
  }
}
