'use client';

import { useTranslations } from 'next-intl';
import { type ChangeEvent, type ReactNode, useState } from 'react';
import { MAX_DISPUTE_FILE_BYTES, MAX_DISPUTE_FILES_PER_ENTRY } from '@/lib/payments/limits';
import type { DisputeFileInput } from '@/lib/payments/schema-disputes';
import { Field } from '../../forms/field';
import { Input } from '../../forms/inputs';

const mediaTypes: readonly string[] = ['image/png', 'image/jpeg', 'application/pdf', 'text/plain'];

/** Files that a form sends as base64, or why the chosen ones are not accepted. */
interface ChosenFiles {
  files: DisputeFileInput[];
  isRefused: boolean;
  onChange: (event: ChangeEvent<HTMLInputElement>) => void;
  clear: () => void;
}

/** Reads the chosen files of a {@link FileField}. */
export function useFiles(): ChosenFiles {
  const [files, setFiles] = useState<DisputeFileInput[]>([]);
  const [isRefused, setRefused] = useState(false);

  async function read(input: HTMLInputElement): Promise<void> {
    const chosen = [...(input.files ?? [])];
    const isAccepted = (file: File): boolean =>
      mediaTypes.includes(file.type) && file.size > 0 && file.size <= MAX_DISPUTE_FILE_BYTES;
    const accepted = chosen.length <= MAX_DISPUTE_FILES_PER_ENTRY && chosen.every(isAccepted);
    setRefused(!accepted);
    setFiles(accepted ? await Promise.all(chosen.map(toInput)) : []);
  }

  function clear(): void {
    setFiles([]);
    setRefused(false);
  }

  return { files, isRefused, onChange: (event) => void read(event.currentTarget), clear };
}

async function toInput(file: File): Promise<DisputeFileInput> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  // In pieces, because a call has a maximum number of arguments.
  const pieces = Array.from({ length: Math.ceil(bytes.length / 8_192) }, (_, at) =>
    String.fromCharCode(...bytes.subarray(at * 8_192, (at + 1) * 8_192)),
  );
  return { name: file.name, mediaType: file.type as DisputeFileInput['mediaType'], data: btoa(pieces.join('')) };
}

/** Attaches files to an entry of a dispute. */
export function FileField({ id, chosen }: { id: string; chosen: ChosenFiles }): ReactNode {
  const t = useTranslations('payments.disputeFiles');
  return (
    <Field
      error={chosen.isRefused ? t('refused') : null}
      hint={t('hint', { count: MAX_DISPUTE_FILES_PER_ENTRY, kilobytes: MAX_DISPUTE_FILE_BYTES / 1_024 })}
      id={id}
      label={t('label')}
    >
      {(control) => (
        <Input
          {...control}
          accept={mediaTypes.join(',')}
          className="py-2"
          multiple
          onChange={chosen.onChange}
          type="file"
        />
      )}
    </Field>
  );
}
