'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useMemo, useState } from 'react';
import type { FixableFault } from '@/lib/catalog/schema-cards';
import { Button } from '../ui/controls/button';
import { CopyButton } from '../ui/controls/copy-button';
import { Alert } from '../ui/display/alert';
import { applyEdits } from './apply-edits';
import { CardEditor } from './card-editor';
import { FaultList } from './fault-list';
import { useLint } from './use-lint';

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
