@NullMarked
package io.millrace.path.call;

import org.jspecify.annotations.NullMarked;
