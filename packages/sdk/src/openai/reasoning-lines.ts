/** Maximum number of characters after which an incomplete line is passed on. */
const MAX_LINE = 500;

/** Joins the small pieces of a model's reasoning into lines, so that each line becomes one status. */
export class ReasoningLines {
  private text = '';

  /** Returns the lines that this piece completes; null if there are none. */
  add(piece: string): string | null {
    this.text += piece;
    const end = this.text.length > MAX_LINE ? this.text.length : this.text.lastIndexOf('\n') + 1;
    const [complete, rest] = [this.text.slice(0, end).trim(), this.text.slice(end)];
    this.text = rest;
    return complete || null;
  }

  /** Returns the remaining text; null if there is none. */
  rest(): string | null {
    const rest = this.text.trim();
    this.text = '';
    return rest || null;
  }
}
