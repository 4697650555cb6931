import { mount } from '@/lib/endpoints/mount';

export const POST = mount('POST', '/api/push/dead-letters/recover');
