/**
 * The terms of a transfer that applications and the engine share: its bytes, its protection, its
 * end.
 */
@NullMarked
package io.millrace.transfer;

import org.jspecify.annotations.NullMarked;
