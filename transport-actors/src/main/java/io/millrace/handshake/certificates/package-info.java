/**
 * Certificates by which nodes authenticate each other: the files, the judgement about a peer's
 * chain and about the peer's names. The common code of providers of handshakes by certificate; uses
 * the JDK alone.
 */
@NullMarked
package io.millrace.handshake.certificates;

import org.jspecify.annotations.NullMarked;
