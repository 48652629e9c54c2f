/*
 * Imported first. A command line may carry a Redis password or the token, and `ps` shows it to every user of the
 * machine. A new title overwrites it.
 */
process.title = 'lockscope';
