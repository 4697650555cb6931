import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { DownloadIcon, PencilIcon, ShareIcon } from '../../ui/display/action-icons';
import { SearchIcon } from '../../ui/display/icons';
import { Menu, MenuItem } from '../../ui/overlays/menu';
import { conversationUrl } from '../state/api';

export interface ThreadMenuProps {
  trigger: ReactNode;
  conversationId: string;
  branch: string;
  onRename: () => void;
  onFind: () => void;
  onShare: () => void;
}

/** Actions on the whole conversation. */
export function ThreadMenu({ trigger, conversationId, branch, ...actions }: ThreadMenuProps): ReactNode {
  const t = useTranslations('chat.threadMenu');
  return (
    <Menu startsOpen trigger={trigger}>
      <MenuItem icon={<PencilIcon size={16} />} onSelect={actions.onRename}>
        {t('rename')}
      </MenuItem>
      <MenuItem icon={<SearchIcon size={16} />} onSelect={actions.onFind}>
        {t('find')}
      </MenuItem>
      <MenuItem icon={<ShareIcon size={16} />} onSelect={actions.onShare}>
        {t('share')}
      </MenuItem>
      <MenuItem asChild>
        <a download href={exportUrl(conversationId, branch, 'markdown')}>
          <DownloadIcon size={16} /> {t('exportMarkdown')}
        </a>
      </MenuItem>
      <MenuItem asChild>
        <a download href={exportUrl(conversationId, branch, 'json')}>
          <DownloadIcon size={16} /> {t('exportJson')}
        </a>
      </MenuItem>
    </Menu>
  );
}

/** Returns the URL of the conversation as a downloadable file. */
function exportUrl(conversationId: string, branch: string, format: 'markdown' | 'json'): string {
  return `${conversationUrl(conversationId)}/export?${new URLSearchParams({ format, branch })}`;
}
