import clsx from 'clsx';
import { useTranslations } from 'next-intl';
import { type ReactNode, useContext, useRef, useState } from 'react';
import type { FormFile } from '../../../../lib/protocol/forms/check-answer';
import type { FormField } from '../../../../lib/protocol/forms/form';
import type { FieldControl } from '../../../forms/field';
import { buttonClass, IconButton } from '../../../ui/controls/button';
import { FileIcon, PaperclipIcon } from '../../../ui/display/action-icons';
import { CloseIcon } from '../../../ui/display/icons';
import { announce } from '../../../ui/overlays/announcer';
import { ReplyRulesContext } from '../../state/agent-item';
import { formatSize, sizeOf } from '../../state/attachments';
import { readAttachment } from './read-attachment';
import type { FormValues } from './use-form-values';

interface FileControlProps {
  control: FieldControl;
  field: FormField & { kind: 'file' };
  values: FormValues;
}

/** A button that chooses files, and the chosen ones. */
export function FileControl({ control: { required, ...control }, field, values }: FileControlProps): ReactNode {
  const t = useTranslations('parts.form');
  const tFiles = useTranslations('chat.attachments');
  const rules = useContext(ReplyRulesContext);
  const chooser = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const raw = values.raw[field.key];
  const files = Array.isArray(raw) ? (raw.filter((file) => typeof file === 'object') as FormFile[]) : [];

  async function choose(list: FileList | null): Promise<void> {
    const chosen = [...(list ?? [])];
    if (chosen.length === 0) return;
    const sizes = [...chosen, ...(field.isList ? files.map((file) => ({ size: sizeOf(file) })) : [])];
    const total = sizes.reduce((sum, { size }) => sum + size, 0);
    const tooLarge =
      rules && total > rules.limits.fileBytes ? tFiles('tooLarge', limitsIn(total, rules.limits.fileBytes)) : null;
    setProblem(tooLarge);
    if (tooLarge) return announce(tooLarge, 'assertive');
    const read = await Promise.all(chosen.map((file) => readAttachment(file, field.accept)));
    const names = new Set(read.map(({ name }) => name));
    const kept = field.isList ? files.filter(({ name }) => !names.has(name)) : [];
    values.write(field, [...kept, ...read]);
    announce(t('chosen', { names: read.map(({ name }) => name).join(', ') }));
  }

  const limitsIn = (size: number, most: number) => ({ size: formatSize(size, tFiles), most: formatSize(most, tFiles) });

  function remove(name: string): void {
    values.write(
      field,
      files.filter((file) => file.name !== name),
    );
    chooser.current?.focus();
  }

  return (
    <div className="space-y-2">
      {files.length > 0 ? (
        <ul className="space-y-1.5">
          {files.map((file) => (
            <li className="flex items-center gap-2 rounded-md border border-line bg-sunken ps-3" key={file.name}>
              <FileIcon className="shrink-0" size={16} />
              <bdi className="min-w-0 flex-1 truncate font-medium">{file.name}</bdi>
              <span className="shrink-0 text-muted">{formatSize(sizeOf(file), tFiles)}</span>
              <IconButton label={t('remove', { name: file.name })} onClick={() => remove(file.name)} size="sm">
                <CloseIcon size={14} />
              </IconButton>
            </li>
          ))}
        </ul>
      ) : null}
      <input
        {...control}
        accept={field.accept.join(',') || undefined}
        required={required}
        className="peer sr-only"
        multiple={field.isList}
        onChange={(event) => {
          void choose(event.target.files);
          event.target.value = '';
        }}
        ref={chooser}
        type="file"
      />
      <label
        className={clsx(
          buttonClass({ size: 'sm' }),
          'cursor-pointer peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-accent',
        )}
        htmlFor={control.id}
      >
        <PaperclipIcon size={16} />
        {files.length === 0 ? t('chooseFile') : field.isList ? t('addFile') : t('replaceFile')}
      </label>
      {problem ? <p className="text-sm text-danger">{problem}</p> : null}
    </div>
  );
}
