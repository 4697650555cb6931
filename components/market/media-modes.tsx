import type { ReactNode } from 'react';

const words: Record<string, string> = {
  text: 'text',
  'text/plain': 'text',
  'text/markdown': 'formatted text',
  'text/html': 'web pages (HTML)',
  'text/csv': 'tables (CSV)',
  'application/json': 'structured data (JSON)',
  'application/pdf': 'PDF documents',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'Excel tables',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'Word documents',
  'application/zip': 'ZIP archives',
  'application/octet-stream': 'files of any kind',
  'image/*': 'pictures',
  'audio/*': 'sound',
  'video/*': 'video',
};
const families: Record<string, string> = { image: 'pictures', audio: 'sound', video: 'video', text: 'text' };

/** A media type in plain words. */
function plainMode(mode: string): string {
  const type = mode.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const [family = '', form = ''] = type.split('/');
  const familyWord = families[family];
  return words[type] ?? (familyWord ? `${familyWord} (${form.toUpperCase()})` : mode);
}

/** Media types in plain words; what the card says stands behind each. */
export function MediaModes({ modes }: { modes: string[] }): ReactNode {
  if (modes.length === 0) return 'not stated';
  return modes.map((mode, index) => (
    <span key={mode}>
      {index > 0 ? ', ' : ''}
      <span title={mode}>{plainMode(mode)}</span>
    </span>
  ));
}
