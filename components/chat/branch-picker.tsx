import clsx from 'clsx';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { Fork } from '../../lib/chat/schema-thread';
import { conversationPath } from '../routes';
import { ChevronRightIcon } from '../ui/display/action-icons';

/** Switches between the versions of a message: "2 of 3". */
export function BranchPicker({ conversationId, fork }: { conversationId: string; fork: Fork }): ReactNode {
  const t = useTranslations('chat.versionSwitch');
  const { versions, at } = fork;
  // Distinguishes this message from others with versions.
  const version = versions[1];
  return (
    <nav aria-label={t('label')} className="flex items-center text-xs text-muted">
      <Step at={version} conversationId={conversationId} label={t('earlier')} to={versions[at - 1]}>
        <ChevronRightIcon className="rotate-180" size={16} />
      </Step>
      <span className="tabular-nums">{t('place', { at: at + 1, count: versions.length })}</span>
      <Step at={version} conversationId={conversationId} label={t('later')} to={versions[at + 1]}>
        <ChevronRightIcon size={16} />
      </Step>
    </nav>
  );
}

interface StepProps {
  conversationId: string;
  label: string;
  to: string | undefined;
  /** The message of these versions. */
  at: string | undefined;
  children: ReactNode;
}

const stepClass = 'inline-flex size-8 items-center justify-center rounded-md touch:size-11';

function Step({ conversationId, label, to, at, children }: StepProps): ReactNode {
  if (to === undefined) {
    return (
      <span aria-hidden="true" className={clsx(stepClass, 'opacity-35')}>
        {children}
      </span>
    );
  }
  return (
    <Link
      aria-label={label}
      className={clsx(stepClass, 'hover:bg-sunken hover:text-ink')}
      href={conversationPath(conversationId, { branch: to, at })}
      prefetch={false}
    >
      {children}
    </Link>
  );
}
