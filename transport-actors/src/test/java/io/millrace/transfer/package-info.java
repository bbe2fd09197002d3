/** Tests of what applications and the engine both say of a transfer. */
@NullMarked
package io.millrace.transfer;

import org.jspecify.annotations.NullMarked;
