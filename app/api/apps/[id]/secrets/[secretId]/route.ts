import { mount } from '@/lib/endpoints/mount';

export const DELETE = mount('DELETE', '/api/apps/:id/secrets/:secretId');
