import { MAX_CARD_DIAGNOSTICS } from '../../limits';

/** The lint rules for agent cards. Names are stable: tools and documentation refer to them. */
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

/** A diagnostic and its position in the fetched text. Lines and columns count from 1, columns in UTF-16 units. */
export interface CardDiagnostic {
  line: number;
  column: number;
  /** RFC 6901 JSON pointer to the member. For a missing member, to its expected location. */
  pointer: string;
  rule: CardRule;
  found: string;
  expected: string;
  fix: string;
}

/** The text of a diagnostic. */
export interface DiagnosticText {
  found: string;
  expected: string;
  fix: string;
}

/**
 * Collects errors (`faults`), which prevent calls of the agent, and warnings, which are violations of the specification
 * that do not.
 */
export interface DiagnosticCollector {
  faults: CardDiagnostic[];
  warnings: CardDiagnostic[];
  /** Adds a diagnostic at an offset of the text, once per location and rule. */
  add(severity: 'error' | 'warning', at: DiagnosticLocation, details: DiagnosticText): void;
  /** Builds a diagnostic without adding it. */
  build(at: DiagnosticLocation, details: DiagnosticText): CardDiagnostic;
}

interface DiagnosticLocation {
  offset: number;
  pointer: string;
  rule: CardRule;
}

/** Returns an empty collector for the text of one card. */
export function createDiagnosticCollector(text: string): DiagnosticCollector {
  const starts = lineStarts(text);
  const collector: DiagnosticCollector = {
    faults: [],
    warnings: [],
    add(severity, at, details) {
      const list = severity === 'error' ? collector.faults : collector.warnings;
      const isKnown = list.some(({ pointer, rule }) => pointer === at.pointer && rule === at.rule);
      if (list.length < MAX_CARD_DIAGNOSTICS && !isKnown) list.push(collector.build(at, details));
    },
    build: ({ offset, pointer, rule }, details) => ({ ...position(starts, offset), pointer, rule, ...details }),
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

/** Returns the text in quotes, truncated, with invisible characters escaped. */
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

/** The data that the card reader requires in addition to the card. */
export interface CardContext {
  /** The URL from which the card was fetched. */
  cardUrl: string;
  /** The endpoint to try when the card has none, as on Web42; null if none can be derived from `cardUrl`. */
  assumedEndpoint: string | null;
  /** The reason why a URL must not be called, or null. */
  refusalOf: (url: string) => string | null;
}
