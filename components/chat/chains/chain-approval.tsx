import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { type ReactNode, Suspense, useContext, useId, useState } from 'react';
import type { ChainApprovalView, ChainView, DecideApproval, SentPart } from '../../../lib/tasks/schema-chains';
import { agentPath } from '../../routes';
import { Button } from '../../ui/controls/button';
import { DocumentIcon, LinkIcon } from '../../ui/display/action-icons';
import { useFormat } from '../../ui/display/format';
import { WarningIcon } from '../../ui/display/icons';
import { scrollRegion } from '../../ui/display/scroll-region';
import { revealInvisible, UntrustedText, withIndex } from '../../ui/display/untrusted-text';
import { announce } from '../../ui/overlays/announcer';
import { LazyDialog, lazyComponent } from '../../ui/overlays/lazy';
import { toast } from '../../ui/overlays/toast';
import { ApiError, call, chainUrl } from '../state/api';
import { ChainActionsContext } from '../state/chains';
import { useProblem } from '../state/use-problem';
import { UntrustedLines } from './chain-texts';

// Needed only after a press on "Open".
const SentFileView = lazyComponent(async () => (await import('./sent-file')).SentFileView);

interface ChainApprovalProps {
  chain: ChainView;
  approval: ChainApprovalView;
}

type Decision = 'allow' | 'always' | 'deny';

/**
 * An agent's request to call another agent. Displays both agents, the reason why approval is required, and the complete
 * content that would be sent.
 */
export function ChainApprovalCard({ chain, approval }: ChainApprovalProps): ReactNode {
  const t = useTranslations('chat.chainApproval');
  const { pending, decide } = useDecision(chain.rootTaskId, approval);
  const format = useFormat();
  const id = useId();
  const { from, to, reasons, parts } = approval;
  const bytes = parts.reduce((sum, part) => sum + (part.bytes ?? 0), 0);
  const names = {
    from: () => <UntrustedText text={from.name} />,
    to: () => (
      <Link className="text-link" href={agentPath(to.slug)}>
        <UntrustedText text={to.name} />
      </Link>
    ),
  };
  return (
    <li aria-labelledby={id} className="space-y-2.5 px-4 py-3.5 -outline-offset-2" data-waits="" tabIndex={-1}>
      <div className="flex gap-2.5">
        <WarningIcon className="mt-0.5 shrink-0 text-warn" />
        <div className="min-w-0 space-y-1 [overflow-wrap:anywhere]">
          <p className="font-semibold" id={id}>
            {t.rich('asks', names)}
          </p>
          {reasons.map((reason) => (
            <p key={reason}>{t.rich(`reason.${reason}`, { ...names, calls: chain.calls, most: chain.maxOpen })}</p>
          ))}
        </div>
      </div>
      <figure className="space-y-1">
        <figcaption className="flex flex-wrap justify-between gap-x-3 text-xs text-muted">
          <span>{t.rich('message', names)}</span>
          <span>{t('sum', { count: parts.length, size: format.bytes(bytes) })}</span>
        </figcaption>
        <SentParts approvalId={approval.id} label={t('sent')} parts={parts} rootTaskId={chain.rootTaskId} />
      </figure>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => decide('allow')} pending={pending === 'allow'} size="sm" tone="primary">
          {t('allow')}
        </Button>
        <Button onClick={() => decide('deny')} pending={pending === 'deny'} size="sm">
          {t('deny')}
        </Button>
        {reasons.includes('hire') ? (
          <Button className="max-w-full" onClick={() => decide('always')} pending={pending === 'always'} size="sm">
            <span className="relative truncate">{t.rich('always', names)}</span>
          </Button>
        ) : null}
      </div>
      <p className="text-xs text-muted">{t('hint')}</p>
    </li>
  );
}

/** Sends the user's decision once. */
function useDecision(
  rootTaskId: string,
  { id, from, to, contentHash }: ChainApprovalView,
): { pending: Decision | null; decide: (decision: Decision) => void } {
  const t = useTranslations('chat.chainApproval');
  const problemOf = useProblem();
  const actions = useContext(ChainActionsContext);
  const [pending, setPending] = useState<Decision | null>(null);

  async function run(decision: Decision): Promise<void> {
    setPending(decision);
    try {
      const allowed = { decision: 'allow', contentHash, always: decision === 'always' } as const;
      const chain = await decideApproval(rootTaskId, id, decision === 'deny' ? { decision } : allowed);
      announce(t(`decided.${decision}`, { from: from.name, to: to.name }));
      actions?.update(chain);
    } catch (error) {
      setPending(null);
      if (error instanceof ApiError && error.status === 409) actions?.reload(rootTaskId);
      toast({ tone: 'danger', text: t('notDecided', { problem: problemOf(error) }) });
    }
  }
  return {
    pending,
    decide(decision) {
      if (pending === null) void run(decision);
    },
  };
}

interface SentPartsProps {
  rootTaskId: string;
  approvalId: string;
  parts: SentPart[];
  label: string;
}

/**
 * The complete content that an agent intends to send: texts, URLs and data in full, and files by name, media type and
 * size, each of which can be opened.
 */
function SentParts({ parts, label, ...approval }: SentPartsProps): ReactNode {
  const [openPart, setOpenPart] = useState<number | null>(null);
  const opened = openPart === null ? undefined : parts[openPart];
  return (
    <div
      {...scrollRegion(label)}
      className="max-h-96 overflow-y-auto rounded-md border border-line bg-surface -outline-offset-2"
    >
      <ul className="divide-y divide-line">
        {withIndex(parts).map(({ item: part, index }) => (
          <li className="space-y-1 px-3 py-2" key={index}>
            <SentPartFacts onOpen={part.kind === 'file' ? () => setOpenPart(index) : null} part={part} />
            {part.kind === 'text' ? (
              <blockquote>
                <UntrustedLines text={part.text} />
              </blockquote>
            ) : part.kind === 'file' ? null : (
              <pre className="font-mono text-xs whitespace-pre-wrap [overflow-wrap:anywhere]" dir="ltr">
                <UntrustedLines text={part.text} />
              </pre>
            )}
          </li>
        ))}
      </ul>
      {opened && openPart !== null ? (
        <SentFileDialog {...approval} file={opened} onClose={() => setOpenPart(null)} part={openPart} />
      ) : null}
    </div>
  );
}

interface SentFileDialogProps {
  rootTaskId: string;
  approvalId: string;
  file: SentPart;
  part: number;
  onClose: () => void;
}

function SentFileDialog({ file, onClose, ...place }: SentFileDialogProps): ReactNode {
  const t = useTranslations('chat.chainApproval.part');
  return (
    <LazyDialog onOpenChange={onClose} title={file.name === null ? t('file') : <UntrustedText text={file.name} />}>
      <Suspense fallback={null}>
        <SentFileView {...place} />
      </Suspense>
    </LazyDialog>
  );
}

interface SentPartFactsProps {
  part: SentPart;
  /** Opens the content; null if it is already displayed. */
  onOpen: (() => void) | null;
}

/** Name, media type and size; none for plain text. */
function SentPartFacts({ part: { kind, name, mediaType, bytes }, onOpen }: SentPartFactsProps): ReactNode {
  const t = useTranslations('chat.chainApproval.part');
  const format = useFormat();
  if (kind === 'text' && name === null && mediaType === null) return null;
  const facts = [mediaType, bytes === null ? null : format.bytes(bytes)].filter((fact) => fact !== null);
  const Icon = kind === 'link' ? LinkIcon : DocumentIcon;
  return (
    <div className="flex items-center gap-2.5">
      <Icon className="shrink-0 text-muted" size={18} />
      <p className="min-w-0 flex-1 [overflow-wrap:anywhere]">
        <span className="block font-medium">{name === null ? t(kind) : <UntrustedText text={name} />}</span>
        <span className="block text-xs text-muted">
          <UntrustedText text={format.list(facts, 'unit')} />
        </span>
      </p>
      {onOpen ? (
        <Button
          aria-haspopup="dialog"
          aria-label={t('openLabel', { name: name === null ? t('file') : revealInvisible(name) })}
          onClick={onOpen}
          size="sm"
        >
          {t('open')}
        </Button>
      ) : null}
    </div>
  );
}

/**
 * Decides about an approval.
 * @throws {ApiError} 409 if it has been decided differently before
 */
function decideApproval(rootTaskId: string, id: string, decision: DecideApproval): Promise<ChainView> {
  return call('POST', `${chainUrl(rootTaskId)}/approvals/${encodeURIComponent(id)}`, decision);
}
