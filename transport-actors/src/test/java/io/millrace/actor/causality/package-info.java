@NullMarked
package io.millrace.actor.causality;

import org.jspecify.annotations.NullMarked;
