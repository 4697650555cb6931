import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { FixableFault } from '@/lib/catalog/schema-cards';
import { Button } from '../../ui/controls/button';
import { Alert } from '../../ui/display/alert';
import { Fact, FactList } from '../../ui/display/fact-list';

interface FaultListProps {
  faults: FixableFault[];
  kind: 'fault' | 'warning';
  /** Set next to an editor: moves the cursor to a diagnostic. */
  onJump?: (fault: FixableFault) => void;
  /** Set next to an editor: applies a quick fix. */
  onFix?: (fault: FixableFault) => void;
}

/** A card's diagnostics, each with its position, the expected value and the fix. */
export function FaultList({ faults, kind, onJump, onFix }: FaultListProps): ReactNode {
  const t = useTranslations('console.faultList');
  if (faults.length === 0) return null;
  const count = faults.length;
  return (
    <section aria-label={t(`${kind}.label`, { count })} className="space-y-4">
      <Alert
        live={kind === 'fault' ? 'assertive' : 'polite'}
        title={t(`${kind}.title`, { count, countText: String(count) })}
        tone={kind === 'fault' ? 'danger' : 'warn'}
      >
        {t(kind === 'fault' ? (onJump ? 'mendHere' : 'mendThere') : 'listable')}
      </Alert>
      <ol className="divide-y divide-line rounded-lg border border-line bg-surface shadow-card">
        {faults.map((fault) => (
          <li className="p-5" key={`${fault.pointer} ${fault.rule} ${fault.line} ${fault.column}`}>
            <Fault fault={fault} onFix={onFix} onJump={onJump} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function Fault({
  fault,
  onJump,
  onFix,
}: { fault: FixableFault } & Pick<FaultListProps, 'onJump' | 'onFix'>): ReactNode {
  const t = useTranslations('console.faultList');
  return (
    <>
      <p className="mb-3 flex flex-wrap items-baseline gap-x-3 gap-y-1 text-sm">
        {onJump ? (
          <button className="text-link font-semibold" onClick={() => onJump(fault)} type="button">
            {t('place', { line: fault.line, column: fault.column })}
          </button>
        ) : (
          <span className="font-semibold">{t('place', { line: fault.line, column: fault.column })}</span>
        )}
        {fault.pointer ? <span className="font-mono text-xs break-all">{fault.pointer}</span> : null}
        <span className="font-mono text-xs font-normal text-muted sm:ms-auto">{fault.rule}</span>
      </p>
      <FactList>
        <Fact name={t('found')}>
          <span lang="en">{fault.found}</span>
        </Fact>
        <Fact name={t('expected')}>
          <span lang="en">{fault.expected}</span>
        </Fact>
        <Fact name={t('toMend')}>
          <span lang="en">{fault.fix}</span>
        </Fact>
      </FactList>
      {onFix && fault.edits ? (
        <Button
          aria-label={t('fixLabel', { line: fault.line, rule: fault.rule })}
          className="mt-3"
          onClick={() => onFix(fault)}
          size="sm"
        >
          {t('fix')}
        </Button>
      ) : null}
    </>
  );
}
