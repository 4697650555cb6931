import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';

const words = {
  text: 'text',
  'text/plain': 'text',
  'text/markdown': 'markdown',
  'text/html': 'html',
  'text/csv': 'csv',
  'text/tab-separated-values': 'tsv',
  'application/json': 'json',
  'application/pdf': 'pdf',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'sheet',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'document',
  'application/zip': 'zip',
  'application/octet-stream': 'anyFile',
  'image/*': 'image',
  'audio/*': 'audio',
  'video/*': 'video',
} as const;
const families = ['image', 'audio', 'video', 'text'] as const;

/** A media type in plain words. */
function plainMode(mode: string, t: ReturnType<typeof useTranslations<'market.mediaModes'>>): string {
  const type = mode.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (isKnown(type)) return t(words[type]);
  const [start, form = ''] = type.split('/');
  const family = families.find((name) => name === start);
  return family ? t(`${family}Form`, { form: form.toUpperCase() }) : mode;
}

function isKnown(type: string): type is keyof typeof words {
  return Object.hasOwn(words, type);
}

/** Media types in plain words, each with the original as a tooltip. */
export function MediaModes({ modes }: { modes: string[] }): ReactNode {
  const t = useTranslations('market.mediaModes');
  if (modes.length === 0) return t('notStated');
  return modes.map((mode, index) => (
    <span key={mode}>
      {index > 0 ? ', ' : ''}
      <span title={mode}>{plainMode(mode, t)}</span>
    </span>
  ));
}
