'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useMemo } from 'react';
import { JsonView } from 'react-json-view-lite';
import { invisibleCharacters } from '../../../lib/protocol/a2a/cards/clean-text';
import { isObject, type JsonValue } from '../../../lib/protocol/json';
import { CopyButton } from '../../ui/controls/copy-button';
import { useFormat } from '../../ui/display/format';
import { scrollRegion } from '../../ui/display/scroll-region';
import { CardFrame } from './card-frame';
import { SaveButton } from './save-button';

/** Maximum displayed characters. Copy and download contain all of them. */
const MAX_CHARACTERS = 20_000;

/** Data of an unknown kind: a tree if it is small, otherwise the start of its text. */
export function JsonCard({ value }: { value: JsonValue }): ReactNode {
  const t = useTranslations('parts.jsonCard');
  const format = useFormat();
  const json = useMemo(() => JSON.stringify(value, null, 2), [value]);
  const tree = useMemo(() => (isTree(value) ? toDisplayedJson(value) : null), [value]);
  const bytes = useMemo(() => new TextEncoder().encode(json), [json]);
  return (
    <CardFrame label={t('label')}>
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-3 border-b border-line pe-1.5 ps-4">
        <span className="text-xs text-muted">{t('size', { size: format.bytes(bytes.length) })}</span>
        <span className="flex items-center gap-1">
          <CopyButton text={json} what={t('copied')} />
          <SaveButton bytes={() => bytes} name="data.json" tone="quiet" />
        </span>
      </div>
      <div
        {...scrollRegion(t('label'))}
        className="max-h-96 overflow-auto bg-sunken p-3 font-mono text-xs leading-6 -outline-offset-2 [font-variant-ligatures:none]"
        dir="ltr"
      >
        {typeof tree === 'object' && tree !== null ? (
          <JsonView
            aria-label={t('label')}
            data={tree}
            shouldExpandNode={isNearTop}
            style={{ ...treeStyle, ariaLables: { collapseJson: t('collapse'), expandJson: t('expand') } }}
          />
        ) : (
          <pre className="whitespace-pre-wrap [overflow-wrap:anywhere]">{startOf(json)}</pre>
        )}
      </div>
    </CardFrame>
  );
}

function isNearTop(level: number): boolean {
  return level < 2;
}

function startOf(json: string): string {
  const shown = escapeInvisible(json.slice(0, MAX_CHARACTERS));
  return json.length > MAX_CHARACTERS ? `${shown}\n…` : shown;
}

/** In the margin of its row, so that all names of a level align, with and without a toggle. */
const toggle =
  '-ms-7 me-1 inline-flex size-6 items-center justify-center rounded-sm align-top text-muted hover:text-ink cursor-pointer';

const treeStyle = {
  container: '[overflow-wrap:anywhere]',
  basicChildStyle: 'ps-7',
  childFieldsContainer: '-ms-3',
  label: 'me-1 text-accent',
  clickableLabel: 'me-1 text-accent cursor-pointer',
  nullValue: 'text-muted',
  undefinedValue: 'text-muted',
  numberValue: 'text-warn',
  stringValue: 'text-ink',
  booleanValue: 'text-warn',
  otherValue: 'text-ink',
  punctuation: 'me-1 text-muted',
  expandIcon: `${toggle} before:content-['+']`,
  collapseIcon: `${toggle} before:content-['−']`,
  collapsedContent: "cursor-pointer px-1 text-muted before:content-['…']",
  noQuotesForStringValues: false,
  quotesForFieldNames: true,
  stringifyStringValues: false,
};

/** Maximum nodes of a rendered tree, for performance. */
const MAX_NODES = 2_000;

/** Counts the values, including nested ones. Stops above `MAX_NODES`. */
function countNodes(value: JsonValue): number {
  const stack: JsonValue[] = [value];
  let count = 0;
  for (let next = stack.pop(); next !== undefined && count <= MAX_NODES; next = stack.pop()) {
    count++;
    if (Array.isArray(next)) stack.push(...next);
    else if (isObject(next)) stack.push(...Object.values(next).filter((member) => member !== undefined));
  }
  return count;
}

/** Returns true for an object or array small enough to be rendered as a tree. */
export function isTree(value: JsonValue): value is object & JsonValue {
  return typeof value === 'object' && value !== null && countNodes(value) <= MAX_NODES;
}

/** Returns the value for display, with control and invisible characters in strings and names as JSON escapes. */
export function toDisplayedJson(value: JsonValue): JsonValue {
  if (typeof value === 'string') return toDisplayedText(value);
  if (Array.isArray(value)) return value.map(toDisplayedJson);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, member]) => [
    toDisplayedText(name),
    toDisplayedJson(member ?? null),
  ]);
  return Object.fromEntries(entries);
}

/** Escapes invisible characters in JSON text, which remains equivalent. */
export function escapeInvisible(json: string): string {
  return json.replace(invisibleCharacters, (character) => (character === '\n' ? character : unicodeEscape(character)));
}

function toDisplayedText(text: string): string {
  return escapeInvisible(JSON.stringify(text).slice(1, -1));
}

function unicodeEscape(character: string): string {
  return [...Array(character.length).keys()]
    .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)
    .join('');
}
