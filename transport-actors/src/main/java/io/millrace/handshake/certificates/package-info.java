/**
 * Certificates that nodes authenticate each other with: the files, the judgement about a peer's
 * chain and about the names that it bears. What providers of handshakes by certificate share; of
 * the JDK alone.
 */
@NullMarked
package io.millrace.handshake.certificates;

import org.jspecify.annotations.NullMarked;
