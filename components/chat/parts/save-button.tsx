'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Button, type ButtonTone } from '../../ui/controls/button';
import { DownloadIcon } from '../../ui/display/icons';
import { revealInvisible } from '../../ui/display/untrusted-text';
import { safeFileName } from './read-file';

interface SaveButtonProps {
  /** The file's name as given by its author. */
  name: string;
  /** Returns the bytes. Called when the button is pressed. */
  bytes: () => Uint8Array<ArrayBuffer>;
  tone?: ButtonTone;
}

/** Downloads a file that is already loaded. */
export function SaveButton({ name, bytes, tone }: SaveButtonProps): ReactNode {
  const t = useTranslations('parts.saveButton');
  return (
    <Button
      aria-label={t('downloadWhat', { name: revealInvisible(name) })}
      icon={<DownloadIcon size={16} />}
      onClick={() => saveFile({ name, bytes: bytes() })}
      size="sm"
      tone={tone}
    >
      {t('download')}
    </Button>
  );
}

/** Lifetime of the object URL, milliseconds. */
const URL_LIFETIME_MS = 10_000;

/**
 * Saves bytes as a file. Declared as `application/octet-stream`, so that no browser opens them as a page of ours,
 * including HTML and SVG.
 */
export function saveFile({ name, bytes }: { name: string; bytes: Uint8Array<ArrayBuffer> }): void {
  const url = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = safeFileName(name);
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), URL_LIFETIME_MS);
}
