@NullMarked
package io.millrace.actor.region;

import org.jspecify.annotations.NullMarked;
