'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Button, type ButtonTone } from '../../ui/controls/button';
import { DownloadIcon } from '../../ui/display/icons';
import { revealInvisible } from '../../ui/display/untrusted-text';
import { saveFile } from './save-file';

export interface SaveButtonProps {
  /** The file's name as given by its author. */
  name: string;
  /** Read when the button is pressed. */
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
