/** Every rule that Parley holds a card against. The names are stable: tools and documentation refer to them. */
export type CardRule =
  | 'text.utf8'
  | 'text.hidden-characters'
  | 'json.byte-order-mark'
  | 'json.syntax'
  | 'json.depth'
  | 'json.members'
  | 'json.number'
  | 'json.character'
  | 'json.duplicate-member'
  | 'json.forbidden-member'
  | 'card.object'
  | 'version.unsupported'
  | 'version.missing'
  | 'version.unknown'
  | 'version.layout'
  | 'member.required'
  | 'member.spelling'
  | 'member.type'
  | 'member.empty'
  | 'member.too-long'
  | 'member.too-many'
  | 'url.absolute'
  | 'url.web'
  | 'endpoint.missing'
  | 'endpoint.assumed'
  | 'endpoint.refused'
  | 'endpoint.other-origin'
  | 'interface.none'
  | 'interface.binding'
  | 'interface.version'
  | 'mode.media-type'
  | 'skill.duplicate-id'
  | 'skill.none'
  | 'extension.duplicate'
  | 'extension.required'
  | 'security.scheme'
  | 'security.undefined-scheme';

/** One fault of a card, placed in the text that was fetched. Lines and columns count from 1, columns in UTF-16 units. */
export interface CardDiagnostic {
  line: number;
  column: number;
  /** RFC 6901 JSON pointer to the member; of a missing member, where it belongs. */
  pointer: string;
  rule: CardRule;
  found: string;
  expected: string;
  fix: string;
}

/** What is wrong at one place, in words. */
export interface DiagnosticText {
  found: string;
  expected: string;
  fix: string;
}

/** Most faults and most warnings that are told about one card; a thousand more help nobody. */
const MAX_DIAGNOSTICS = 50;

/** Gathers faults (the agent cannot be called) and warnings (it can, but the card violates the specification). */
export interface DiagnosticCollector {
  faults: CardDiagnostic[];
  warnings: CardDiagnostic[];
  /** Places a fault at an offset of the text, once for each place and rule. */
  add(severity: 'fault' | 'warning', at: DiagnosticLocation, words: DiagnosticText): void;
  /** The same fault, without adding it. */
  build(at: DiagnosticLocation, words: DiagnosticText): CardDiagnostic;
}

interface DiagnosticLocation {
  offset: number;
  pointer: string;
  rule: CardRule;
}

/** An empty sink for the text of one card. */
export function createDiagnosticCollector(text: string): DiagnosticCollector {
  const starts = lineStarts(text);
  const collector: DiagnosticCollector = {
    faults: [],
    warnings: [],
    add(severity, at, words) {
      const list = severity === 'fault' ? collector.faults : collector.warnings;
      const isKnown = list.some(({ pointer, rule }) => pointer === at.pointer && rule === at.rule);
      if (list.length < MAX_DIAGNOSTICS && !isKnown) list.push(collector.build(at, words));
    },
    build: ({ offset, pointer, rule }, words) => ({ ...position(starts, offset), pointer, rule, ...words }),
  };
  return collector;
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (const match of text.matchAll(/\r\n|\n|\r/g)) starts.push(match.index + match[0].length);
  return starts;
}

function position(starts: number[], offset: number): { line: number; column: number } {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
}

/** Text as it was found, quoted, cut, with everything invisible escaped. */
export function quote(text: string): string {
  const cut = text.length > 80 ? `${text.slice(0, 80)}…` : text;
  return JSON.stringify(cut).replace(
    /[\u007f-\u00a0\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g,
    escaped,
  );
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** What reading a card needs to know of the world outside the card. */
export interface CardContext {
  /** Where the card was fetched. */
  cardUrl: string;
  /** The address to try when the card names none, as cards for Web42 do; null when none follows from `cardUrl`. */
  assumedEndpoint: string | null;
  /** Why an address must not be called, or null. */
  refusalOf: (url: string) => string | null;
}
