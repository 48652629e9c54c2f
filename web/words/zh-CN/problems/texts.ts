import type { TextCode, TextsOf, ValuesOf } from '../../../../shared/wire/problems/values.ts';

export const TEXT_FILE_TEXTS: TextsOf<TextCode> = {
  'text-skipped': ({ around, prefix, lines }) => {
    const parts = around.map((each) => (each === 'prefix' ? `行首的文本 “${prefix}”` : AROUND[each]));
    const all = lines === 0 ? parts : [...parts, `其他 ${lines} 行`];
    return { message: `已跳过其周围的内容：${all.join('、')}。`, hint: '' };
  },
};

const AROUND: Readonly<Record<Exclude<ValuesOf<'text-skipped'>['around'][number], 'prefix'>, string>> = {
  'utf-16': 'UTF-16 编码',
  'windows-1252': 'Windows-1252 编码',
  colours: '终端颜色',
  json: '每段文本外的 JSON',
  csv: '表格（CSV）',
  html: '网页转义',
  escapes: '转义的引号或制表符',
  typography: '排版引号或空格',
  folds: '邮件的换行',
  mail: '邮件的编码',
  marks: '行尾的标记或注释，或地址外的链接',
  'newest-first': '最新的行在最前的顺序',
  captures: '各段捕获的顺序（较晚的在前）',
};
