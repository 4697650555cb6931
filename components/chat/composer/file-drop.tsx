'use client';

import { useTranslations } from 'next-intl';
import { type DragEvent, type ReactNode, useState } from 'react';

export interface FileDropProps {
  /** False disables dropping. */
  active: boolean;
  onDrop: (files: FileList) => void;
  children: ReactNode;
}

/** Accepts files that are dropped anywhere on the conversation, like the composer's button. */
export function FileDrop({ active, onDrop, children }: FileDropProps): ReactNode {
  const t = useTranslations('chat.fileDrop');
  const [isDragOver, setIsDragOver] = useState(false);

  function onDragOver(event: DragEvent): void {
    if (!active || !event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    setIsDragOver(true);
  }

  function onDragLeave(event: DragEvent<HTMLElement>): void {
    if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setIsDragOver(false);
  }

  return (
    <section
      aria-label={t('conversation')}
      className="relative flex min-w-0 flex-1 flex-col"
      onDragLeave={onDragLeave}
      onDragOver={onDragOver}
      onDrop={(event) => {
        setIsDragOver(false);
        if (!active || event.dataTransfer.files.length === 0) return;
        event.preventDefault();
        onDrop(event.dataTransfer.files);
      }}
    >
      {children}
      {isDragOver ? (
        <div className="pointer-events-none absolute inset-2 z-10 flex items-center justify-center rounded-xl border-2 border-dashed border-accent bg-accent-soft/90 text-lg font-medium">
          {t('drop')}
        </div>
      ) : null}
    </section>
  );
}
