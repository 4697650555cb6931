/** The text of an answer as a person sees it: without the invisible marker that distinguishes turns. */
export function withoutMarker(text: string): string {
  return text.replace(/\s*(?:\u200b|\u200c|\u200d|\u2060){64}$/, '');
}

/** An answer with an invisible marker at its end, for `toMatchObject`: {@link withoutMarker} of it is `text`. */
export function marked(text: string): RegExp {
  const escaped = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped}\\s*(?:\\u200b|\\u200c|\\u200d|\\u2060){64}$`);
}
