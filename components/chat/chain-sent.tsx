import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { SentPart } from '../../lib/tasks/schema-chains';
import { DocumentIcon, LinkIcon } from '../ui/display/action-icons';
import { useFormat } from '../ui/display/format';
import { scrollRegion } from '../ui/display/scroll-region';
import { UntrustedText, withIndex } from '../ui/display/untrusted-text';
import { UntrustedLines } from './chain-text';

/** Everything that an agent intends to send: texts, addresses and data in full; files by name, media type and size. */
export function SentParts({ parts, label }: { parts: SentPart[]; label: string }): ReactNode {
  return (
    <div
      {...scrollRegion(label)}
      className="max-h-96 overflow-y-auto rounded-md border border-line bg-surface -outline-offset-2"
    >
      <ul className="divide-y divide-line">
        {withIndex(parts).map(({ item: part, index }) => (
          <li className="space-y-1 px-3 py-2" key={index}>
            <SentPartFacts part={part} />
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
    </div>
  );
}

/** Name, media type and size; none for plain text. */
function SentPartFacts({ part: { kind, name, mediaType, bytes } }: { part: SentPart }): ReactNode {
  const t = useTranslations('chat.chainApproval.part');
  const format = useFormat();
  if (kind === 'text' && name === null && mediaType === null) return null;
  const facts = [mediaType, bytes === null ? null : format.bytes(bytes)].filter((fact) => fact !== null);
  const Icon = kind === 'link' ? LinkIcon : DocumentIcon;
  return (
    <div className="flex items-center gap-2.5">
      <Icon className="shrink-0 text-muted" size={18} />
      <p className="min-w-0 [overflow-wrap:anywhere]">
        <span className="block font-medium">{name === null ? t(kind) : <UntrustedText text={name} />}</span>
        <span className="block text-xs text-muted">
          <UntrustedText text={format.list(facts, 'unit')} />
        </span>
      </p>
    </div>
  );
}
