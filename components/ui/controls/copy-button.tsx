'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useEffect, useState } from 'react';
import { CheckIcon, CopyIcon } from '../display/icons';
import { announce } from '../overlays/announcer';
import { toast } from '../overlays/toast';
import { Button, type ButtonTone } from './button';

export interface CopyButtonProps {
  /** The exact text to copy. */
  text: string;
  /** The name of the copied text, for the accessible name: "Copy {what}". */
  what: string;
  tone?: ButtonTone;
  className?: string;
  /** True to include `what` in the label, for adjacent copy buttons. */
  named?: boolean;
}

/** Copies a text and displays a confirmation for two seconds. */
export function CopyButton({ text, what, tone = 'quiet', className, named = false }: CopyButtonProps): ReactNode {
  const t = useTranslations('ui.copyButton');
  const [copied, setCopied] = useState(false);

  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2_000);
    return () => clearTimeout(timer);
  }, [copied]);

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // Browsers provide no clipboard to pages without https or permission.
      toast({ tone: 'danger', text: t('refused') });
      return;
    }
    setCopied(true);
    announce(t('announcement', { what }));
  }

  return (
    <Button
      aria-label={copied ? t('copiedWhat', { what }) : t('copyWhat', { what })}
      className={className}
      icon={copied ? <CheckIcon size={16} /> : <CopyIcon size={16} />}
      onClick={copy}
      size="sm"
      tone={tone}
    >
      {named ? t(copied ? 'copiedWhat' : 'copyWhat', { what }) : t(copied ? 'copied' : 'copy')}
    </Button>
  );
}
