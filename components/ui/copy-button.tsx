'use client';

import { type ReactNode, useEffect, useState } from 'react';
import { announce } from './announcer';
import { Button, type ButtonSize, type ButtonTone } from './button';
import { CheckIcon, CopyIcon } from './icons';

export interface CopyButtonProps {
  /** Exactly what lands on the clipboard. */
  text: string;
  /** What is copied, for the accessible name: "Copy {what}". */
  what: string;
  tone?: ButtonTone;
  size?: ButtonSize;
  className?: string;
  /** Shows what is copied, where two such buttons stand side by side. */
  named?: boolean;
}

/** Copies a text and says so for two seconds. */
export function CopyButton({
  text,
  what,
  tone = 'quiet',
  size = 'sm',
  className,
  named = false,
}: CopyButtonProps): ReactNode {
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
      // Browsers offer no clipboard to pages without https or permission.
      announce('The browser refused access to the clipboard. Select the text and copy it by hand.', 'assertive');
      return;
    }
    setCopied(true);
    announce(`Copied ${what}.`);
  }

  return (
    <Button
      aria-label={`${copied ? 'Copied' : 'Copy'} ${what}`}
      className={className}
      icon={copied ? <CheckIcon size={16} /> : <CopyIcon size={16} />}
      onClick={copy}
      size={size}
      tone={tone}
    >
      {copied ? 'Copied' : 'Copy'} {named ? what : ''}
    </Button>
  );
}
