/** Tests of the terms that applications and the engine share about a transfer. */
@NullMarked
package io.millrace.transfer;

import org.jspecify.annotations.NullMarked;
