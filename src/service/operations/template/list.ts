import { answer, type Handler } from '../../scene.ts';
import { listTemplates } from '../../store/lists.ts';

/** spec §4 List templates. */
export const templateList: Handler<'template.list'> = async (scene, { query }) =>
  answer(await scene.read((db) => listTemplates(db, scene.user.company_id, query)));
