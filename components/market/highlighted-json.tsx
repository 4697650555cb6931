import type { ReactNode } from 'react';

const token = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Pretty-printed JSON with highlighted names and values; the text is unchanged. */
export function HighlightedJson({ json }: { json: string }): ReactNode {
  const out: ReactNode[] = [];
  let from = 0;
  for (const match of json.matchAll(token)) {
    const [whole, text, colon] = match;
    if (match.index > from) out.push(json.slice(from, match.index));
    const end = colon && text ? match.index + text.length : match.index + whole.length;
    const style = colon ? 'text-accent' : text ? 'text-ink' : 'text-warn';
    out.push(
      <span className={style} key={match.index}>
        {json.slice(match.index, end)}
      </span>,
    );
    from = end;
  }
  out.push(json.slice(from));
  return <span className="text-muted">{out}</span>;
}
