package io.millrace.testkit.internal.patch;

import static java.lang.constant.DirectMethodHandleDesc.Kind.INTERFACE_VIRTUAL;
import static java.lang.constant.DirectMethodHandleDesc.Kind.STATIC;
import static java.lang.constant.DirectMethodHandleDesc.Kind.VIRTUAL;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.MethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import org.jspecify.annotations.Nullable;

/**
 * Replaces an instance method by a static method of the same name, which takes the receiver as its
 * first argument. So the origin of the receiver does not matter. A call of a subclass to its
 * superclass stays: such a call is the receiver's own implementation.
 *
 * @param home the class of the static method
 * @param receiver the declared type of the first parameter
 */
record WithReceiver(ClassDesc home, ClassDesc receiver) implements Rewrite {
  @Override
  public void emit(CodeBuilder code, InvokeInstruction call) {
    if (call.opcode() == Opcode.INVOKESPECIAL) {
      code.with(call);
      return;
    }
    code.invokestatic(
        home, call.name().stringValue(), call.typeSymbol().insertParameterTypes(0, receiver));
  }

  @Override
  public @Nullable DirectMethodHandleDesc reference(DirectMethodHandleDesc called) {
    if (called.kind() != VIRTUAL && called.kind() != INTERFACE_VIRTUAL) {
      return null;
    }
    MethodTypeDesc type = called.invocationType().changeParameterType(0, receiver);
    return MethodHandleDesc.ofMethod(STATIC, home, called.methodName(), type);
  }
}
