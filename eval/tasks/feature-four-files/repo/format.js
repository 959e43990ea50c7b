const plural = (count, word) => `${count} ${word}${count === 1 ? '' : 's'}`

export const toText = ({ files, lines }) => `${plural(files, 'file')}, ${plural(lines, 'line')}`
