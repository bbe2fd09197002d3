@NullMarked
package io.millrace.path.piece;

import org.jspecify.annotations.NullMarked;
