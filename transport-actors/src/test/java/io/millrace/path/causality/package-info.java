@NullMarked
package io.millrace.path.causality;

import org.jspecify.annotations.NullMarked;
