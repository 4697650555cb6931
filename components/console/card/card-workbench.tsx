'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { FixableFault } from '@/lib/catalog/schema-cards';
import type { CardLint } from '@/lib/catalog/schema-registration';
import { callApi } from '../../forms/call-api';
import { controlClass } from '../../forms/inputs';
import { Button } from '../../ui/controls/button';
import { CopyButton } from '../../ui/controls/copy-button';
import { Alert } from '../../ui/display/alert';
import { lazyComponent } from '../../ui/overlays/lazy';
import type { CodeEditorProps } from './code-mirror';
import { FaultList } from './fault-list';

interface CardWorkbenchProps {
  text: string;
  onText: (text: string) => void;
  /** The URL of the card; null if it is not known yet. */
  url: string | null;
}

const none: FixableFault[] = [];

/** A card's text with its diagnostics: each links to its position, and some have a quick fix. */
export function CardWorkbench({ text, onText, url }: CardWorkbenchProps): ReactNode {
  const t = useTranslations('console.cardWorkbench');
  const [target, setTarget] = useState<{ line: number; column: number } | null>(null);
  const { lint, checked, pending, problem, again } = useLint(text, url);
  const current = checked === text;
  const faults = lint?.faults ?? none;
  const warnings = lint?.warnings ?? none;
  const counts = {
    faults: faults.length,
    faultsText: String(faults.length),
    warnings: warnings.length,
    warningsText: String(warnings.length),
  };
  const all = useMemo(() => [...faults, ...warnings], [faults, warnings]);

  function fix({ edits }: FixableFault): void {
    if (edits && current) onText(applyEdits(text, edits));
  }

  function stateOf(): string {
    if (pending || !current) return t('checking');
    if (problem) return t('unchecked');
    return text.trim() === '' ? t('empty') : t('state', counts);
  }

  return (
    <div className="space-y-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-sm text-muted" role="status">
          {stateOf()}
        </p>
        <span className="flex flex-wrap gap-2">
          <CopyButton text={text} tone="secondary" what={t('cardToCopy')} />
          <Button onClick={() => saveText('agent-card.json', text)} size="sm">
            {t('download')}
          </Button>
        </span>
      </div>
      {problem && current && !pending ? (
        <Alert tone="danger" title={t('unchecked')}>
          <p>{problem}</p>
          <Button className="mt-3" onClick={again} size="sm">
            {t('again')}
          </Button>
        </Alert>
      ) : null}
      <CardEditor faults={all} label={t('label')} onChange={onText} target={target} value={text} />
      {current && lint ? (
        <>
          <FaultList faults={faults} kind="fault" onFix={fix} onJump={setTarget} />
          <FaultList faults={warnings} kind="warning" onFix={fix} onJump={setTarget} />
          {all.length === 0 && lint.card ? (
            <Alert live="polite" tone="good">
              {t.rich('good', {
                path: '/.well-known/agent-card.json',
                mono: (path) => <span className="font-mono text-xs">{path}</span>,
              })}
            </Alert>
          ) : null}
        </>
      ) : null}
    </div>
  );
}

/** Downloads a text as a file. */
function saveText(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

type Edits = NonNullable<FixableFault['edits']>;

/** Applies the edits from the end, so that earlier offsets stay valid. */
export function applyEdits(text: string, edits: Edits): string {
  return [...edits]
    .sort((a, b) => b.offset - a.offset)
    .reduce(
      (known, { offset, length, content }) => known.slice(0, offset) + content + known.slice(offset + length),
      text,
    );
}

const pauseMs = 350;
const unchecked: Omit<Lint, 'again'> = { lint: null, checked: '', pending: false, problem: '' };

interface Lint {
  /** The server's result for `text`; null before the first result. */
  lint: CardLint | null;
  /** The text of that result. */
  checked: string;
  pending: boolean;
  /** The reason why the text could not be checked; empty on success. */
  problem: string;
  /** Checks the same text again. */
  again: () => void;
}

/** Checks a card's text after a pause in typing. Drops a response for an older text. */
function useLint(text: string, url: string | null): Lint {
  const [state, setState] = useState(unchecked);
  const latest = useRef(text);

  const check = useCallback(async () => {
    const response = await callApi('POST', '/api/cards/lint', { card: text, ...(url && { url }) });
    if (latest.current !== text) return;
    if (response.ok) setState({ ...unchecked, lint: response.body as CardLint, checked: text });
    else setState({ ...unchecked, checked: text, problem: response.problem.title });
  }, [text, url]);

  useEffect(() => {
    latest.current = text;
    if (text.trim() === '') return setState({ ...unchecked, checked: text });
    setState((before) => ({ ...before, pending: true }));
    const timer = setTimeout(() => void check(), pauseMs);
    return () => clearTimeout(timer);
  }, [text, check]);

  function again(): void {
    setState((before) => ({ ...before, pending: true }));
    void check();
  }

  return { ...state, again };
}

const CodeMirror = lazyComponent(async () => (await import('./code-mirror')).CodeMirror);

/** Edits a card's text, in a plain text area until the editor is loaded. */
function CardEditor(props: CodeEditorProps): ReactNode {
  const [ready, setReady] = useState(false);
  useEffect(() => setReady(true), []);
  const plain = (
    <textarea
      aria-label={props.label}
      className={`${controlClass} min-h-80 py-2 font-mono text-xs`}
      onChange={(event) => props.onChange(event.target.value)}
      rows={20}
      spellCheck={false}
      value={props.value}
    />
  );
  return ready ? (
    <Suspense fallback={plain}>
      <CodeMirror {...props} />
    </Suspense>
  ) : (
    plain
  );
}
