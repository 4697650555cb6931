/** Characters after which a line that does not end is passed on. */
const MAX_LINE = 500;

/** Joins the small pieces of a model's reasoning to lines, so that each becomes one status. */
export class ReasoningLines {
  private text = '';

  /** What is complete with this piece; null if nothing is. */
  add(piece: string): string | null {
    this.text += piece;
    const end = this.text.length > MAX_LINE ? this.text.length : this.text.lastIndexOf('\n') + 1;
    const [complete, rest] = [this.text.slice(0, end).trim(), this.text.slice(end)];
    this.text = rest;
    return complete || null;
  }

  /** What is left; null for nothing. */
  rest(): string | null {
    const rest = this.text.trim();
    this.text = '';
    return rest || null;
  }
}
