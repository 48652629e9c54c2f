/*
 * Imported first. A command line may contain a Redis password or the token, and `ps` shows it to every user of the
 * machine. Setting the title overwrites it.
 */
process.title = 'lockscope';
