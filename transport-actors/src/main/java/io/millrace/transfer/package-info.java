/**
 * The terms of a transfer that applications and the engine share: bytes, protection, and the
 * outcome.
 */
@NullMarked
package io.millrace.transfer;

import org.jspecify.annotations.NullMarked;
