/** What applications and the engine both say of a transfer: its bytes, its protection, its end. */
@NullMarked
package io.millrace.transfer;

import org.jspecify.annotations.NullMarked;
