package io.millrace.testkit.sim.patch;

import static java.lang.constant.DirectMethodHandleDesc.Kind.STATIC;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.MethodHandleDesc;
import java.lang.constant.MethodTypeDesc;

/**
 * A constructor without arguments gives way to a factory. Compilers leave the new object on the
 * stack twice, once for the constructor and once as the value; both go.
 *
 * @param factory the method of {@link SimulatedCalls} that makes the object
 */
record Create(String factory) implements Rewrite {
  @Override
  public void emit(CodeBuilder code, InvokeInstruction call) {
    code.pop2();
    code.invokestatic(Descriptors.CALLS, factory, MethodTypeDesc.of(call.owner().asSymbol()));
  }

  @Override
  public DirectMethodHandleDesc reference(DirectMethodHandleDesc called) {
    return MethodHandleDesc.ofMethod(
        STATIC, Descriptors.CALLS, factory, MethodTypeDesc.of(called.owner()));
  }
}
