import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { SearchIcon } from '../ui/icons';
import { Menu, MenuItem } from '../ui/menu';
import { exportUrl } from './api';
import { DownloadIcon, ShareIcon } from './icons';

export interface ThreadMenuProps {
  trigger: ReactNode;
  conversationId: string;
  branch: string;
  onFind: () => void;
  onShare: () => void;
}

/** Actions on the whole conversation. */
export function ThreadMenu({ trigger, conversationId, branch, onFind, onShare }: ThreadMenuProps): ReactNode {
  const t = useTranslations('chat.threadMenu');
  return (
    <Menu startsOpen trigger={trigger}>
      <MenuItem icon={<SearchIcon size={16} />} onSelect={onFind}>
        {t('find')}
      </MenuItem>
      <MenuItem icon={<ShareIcon size={16} />} onSelect={onShare}>
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
