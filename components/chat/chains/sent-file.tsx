import { useTranslations } from 'next-intl';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import type { SentFile } from '../../../lib/tasks/schema-chains';
import { Skeleton } from '../../ui/controls/loading';
import { Alert } from '../../ui/display/alert';
import { scrollRegion } from '../../ui/display/scroll-region';
import { FileCard } from '../parts/file-card';
import { bytesOf, readFile } from '../parts/read-file';
import { call, chainUrl } from '../state/api';
import { useProblem } from '../state/use-problem';
import { UntrustedLines } from './chain-texts';

/** Maximum size of a text that is displayed, bytes. Larger files can be saved. */
const MAX_TEXT_BYTES = 200_000;

export interface SentFileViewProps {
  rootTaskId: string;
  approvalId: string;
  /** Index of the file in the approval. */
  part: number;
}

/** The content of a file that an agent intends to send: images and texts are displayed, and every file can be saved. */
export function SentFileView({ rootTaskId, approvalId, part }: SentFileViewProps): ReactNode {
  const t = useTranslations('chat.chainApproval');
  const problemOf = useProblem();
  const [file, setFile] = useState<SentFile | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    let isCurrent = true;
    const approval = `${chainUrl(rootTaskId)}/approvals/${encodeURIComponent(approvalId)}`;
    call<SentFile>('GET', `${approval}/files/${part}`).then(
      (loaded) => isCurrent && setFile(loaded),
      (error: unknown) => isCurrent && setProblem(problemOf(error)),
    );
    return () => {
      isCurrent = false;
    };
  }, [rootTaskId, approvalId, part, problemOf]);
  if (problem !== null) return <Alert tone="danger">{t('fileNotLoaded', { problem })}</Alert>;
  return file ? <LoadedFile file={file} /> : <Skeleton className="h-24 w-full" />;
}

function LoadedFile({ file: { name, mediaType, bytes } }: { file: SentFile }): ReactNode {
  const t = useTranslations('chat.chainApproval');
  const { view, text } = useMemo(() => {
    const named = { ...(name === null ? {} : { filename: name }), ...(mediaType === null ? {} : { mediaType }) };
    const view = readFile({ ...named, pieces: [bytes] });
    const isShown = view.image === null && view.size !== null && view.size <= MAX_TEXT_BYTES;
    return { view, text: isShown ? textOf(bytesOf(view)) : null };
  }, [name, mediaType, bytes]);
  return (
    <div className="space-y-3">
      <FileCard file={view} />
      {text === null ? null : (
        <pre
          {...scrollRegion(t('fileContent'))}
          className="max-h-[50dvh] overflow-y-auto rounded-md border border-line bg-sunken p-3 font-mono text-xs whitespace-pre-wrap [overflow-wrap:anywhere] -outline-offset-2"
        >
          <UntrustedLines text={text} />
        </pre>
      )}
    </div>
  );
}

/** Returns the text of a file in UTF-8; null for other files, regardless of the declared type. */
function textOf(bytes: Uint8Array<ArrayBuffer>): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}
